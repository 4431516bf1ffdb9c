import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './shell/console.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { speak } from './texts/index.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(<App spoken={await speak()} />)
