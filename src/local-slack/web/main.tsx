import { createRoot } from 'react-dom/client'
import { readAddress } from './address.ts'
import { App } from './app.tsx'
import { connect } from './connection.ts'
import './style/base.css'
import './style/layout.css'
import './style/messages.css'
import './style/blocks.css'
import './style/dialogs.css'

const page = document.getElementById('page')
if (!page) throw new Error('The page has no place to be drawn in.')
const { as } = readAddress()
createRoot(page).render(<App connection={connect(as)} start={readAddress()} />)
