import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './shell/text.css'
import './shell/console.css'
import { createRoot } from 'react-dom/client'
import { ConsoleApp } from './app.tsx'
import { loadTexts } from './texts/index.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(<ConsoleApp spoken={await loadTexts()} />)
