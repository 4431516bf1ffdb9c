// Before anything is painted: the page is dark or light as chosen (the key is Mantine's), or as the system is.
;(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const scheme = chosen === 'dark' || chosen === 'light' ? chosen : system
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
