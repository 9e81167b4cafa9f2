export {
  createLocalBash,
  type LocalBashConfig,
  LocalBashExecutor,
  LocalBashExecutor as default,
} from './local-bash-executor.ts'
export { LocalProcessHost } from './local-process-host.ts'
