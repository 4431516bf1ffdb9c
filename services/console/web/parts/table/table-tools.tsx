import { ActionIcon, Group, Menu } from '@mantine/core'
import { IconBaselineDensityMedium, IconBaselineDensitySmall, IconColumns3, IconDownload } from '@tabler/icons-react'
import { useTexts } from '../../texts/index.tsx'

interface Props {
  /** The columns that can be hidden. */
  readonly columns: readonly { readonly title: string; readonly visible: boolean; readonly toggle: () => void }[]
  readonly dense: boolean
  readonly setDense: (dense: boolean) => void
  readonly saveAsCsv: () => void
}

/** Buttons above a table: which columns it has, how dense its rows are, and CSV of what is shown. */
export function TableTools({ columns, dense, setDense, saveAsCsv }: Props) {
  const { common: t } = useTexts()
  const DensityIcon = dense ? IconBaselineDensityMedium : IconBaselineDensitySmall
  return (
    <Group gap={4} justify="flex-end">
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.table.columns} title={t.table.columns}>
            <IconColumns3 size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {columns.map(({ title, visible, toggle }) => (
            <Menu.CheckboxItem key={title} checked={visible} onChange={toggle}>
              {title}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        variant="subtle"
        color="gray"
        visibleFrom="xs"
        aria-label={dense ? t.table.spacious : t.table.dense}
        title={dense ? t.table.spacious : t.table.dense}
        onClick={() => setDense(!dense)}
      >
        <DensityIcon size={18} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={t.table.csv} title={t.table.csv} onClick={saveAsCsv}>
        <IconDownload size={18} />
      </ActionIcon>
    </Group>
  )
}
