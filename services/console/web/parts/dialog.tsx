import { Modal, type ModalProps } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** A centered dialog with a labelled close button. */
export function Dialog(props: ModalProps) {
  const { common } = useTexts()
  return <Modal centered closeButtonProps={{ 'aria-label': common.close }} {...props} />
}
