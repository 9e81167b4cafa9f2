#!/usr/bin/env node
import { commandLine } from './command-line.ts'

// Everything is written by now, and nothing that is left may keep the caller waiting.
process.exit(await commandLine(process.argv.slice(2)))
