import { Modal, type ModalProps } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** A dialog in the middle of the page, whose cross says what it does. */
export function Dialog(props: ModalProps) {
  const { common } = useTexts()
  return <Modal centered closeButtonProps={{ 'aria-label': common.close }} {...props} />
}
