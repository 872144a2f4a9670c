import { basename, dirname } from 'node:path'

// This file lies in the package's folder; compiled, it lies in `dist` there.
const folder = import.meta.dirname

/** The folder of this package, for both the sources and the compiled code. */
export const PACKAGE_FOLDER = basename(folder) === 'dist' ? dirname(folder) : folder
