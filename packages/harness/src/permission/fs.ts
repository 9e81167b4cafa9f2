export { PermittedFileSystem, PermittedFileSystem as default } from './permitted-file-system.ts'
