import { createContext } from 'react-router'
import type { NoticesApp } from './app.ts'

export const noticesContext = createContext<NoticesApp>()
