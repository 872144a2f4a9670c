import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { connect } from './connection.ts'
import { readPageUrl } from './page-url.ts'
import './style/base.css'
import './style/layout.css'
import './style/messages.css'
import './style/blocks.css'
import './style/dialogs.css'

const root = document.getElementById('page')
if (!root) throw new Error('index.html has no element with the ID "page".')
const pageUrl = readPageUrl()
createRoot(root).render(<App connection={connect(pageUrl.userHandle)} pageUrl={pageUrl} />)
