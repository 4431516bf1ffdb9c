import { expect, test } from 'vitest'
import { reduceSvg } from './reduce-svg.ts'

const shapes = '<path d="M1 1h2v2z" fill="#fff"></path>'
const wrap = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">${content}</svg>`

test('shapes, gradients and references within the document stay', () => {
  const gradient =
    '<defs><linearGradient id="a"><stop offset="0" stop-color="red"></stop></linearGradient></defs>' +
    '<g transform="translate(1 2)"><circle cx="1" cy="1" r="1" fill="url(#a)"></circle></g>'
  expect(reduceSvg(wrap(gradient))).toBe(wrap(gradient))
})

test('a file of a drawing program loses what is not a shape', () => {
  const file = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><!-- Generator -->
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 4 4" style="color:red">
    <metadata>about</metadata><title>Logo</title><style>path{}</style>${shapes}</svg>`
  expect(reduceSvg(file)).toBe(wrap(shapes))
})

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a handler', '<path d="M1 1h2v2z" fill="#fff" onload="alert(1)"></path>'],
  ['HTML', '<foreignObject><iframe src="x"></iframe></foreignObject>'],
  ['a picture', '<image href="https://tracker.example/1.png"></image>'],
  ['a link', '<a href="javascript:alert(1)"><path d="M0 0"></path></a>'],
  ['another document', '<use href="https://other.example/x.svg#a"></use>'],
  ['an animation', '<animate attributeName="d" to="M0 0"></animate>'],
  ['a text', 'text'],
])('%s is removed', (_, content) => {
  const reduced = reduceSvg(wrap(content.includes('onload') ? content : content + shapes))
  expect(reduced).toBe(wrap(shapes))
})

test.each([
  'fill="url(https://other.example/a)"',
  'fill="URL(//x)"',
  'fill="a;b"',
  'xlink:href="#a"',
  'filter="url(#f)"',
])('the attribute %s is removed', (attribute) => {
  expect(reduceSvg(wrap(`<path d="M0 0" ${attribute}></path>`))).toBe(wrap('<path d="M0 0"></path>'))
})

test.each(['', 'no svg', '<p>x</p>', '<svg></svg>', wrap('<script></script>')])('%j is no logo', (text) => {
  expect(reduceSvg(text)).toBeUndefined()
})
