/** An environment as a process has it; undefined values are absent ones. */
export type Environment = Readonly<Record<string, string | undefined>>

const credentialName = /KEY|SECRET|TOKEN|PASSWORD/i

/** Bash reads the file that this names before a non-interactive command: an rc file by another door. */
const shellStartupName = 'BASH_ENV'

/**
 * Names that mean something on the host only, or that make a shell or a loader run code: where the
 * command's world is not the host, they do not travel.
 */
const hostBoundName = new RegExp(
  `^(?:${[
    // places
    'PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|HOSTNAME|MAIL|TMPDIR|TMP|TEMP|XDG_.*|HISTFILE|INFOPATH|MANPATH',
    // sockets and sessions of the host
    'DOCKER_.*|CONTAINER_HOST|BUILDKIT_HOST|SSH_.*|GPG_.*|DBUS_.*|DISPLAY|WAYLAND_.*|XAUTHORITY|TMUX.*|STY|WINDOWID|KUBECONFIG|NOTIFY_SOCKET|LISTEN_.*|INVOCATION_ID|JOURNAL_STREAM',
    // programs of the host
    'EDITOR|VISUAL|BROWSER|GIT_EDITOR|GIT_ASKPASS|GIT_SSH.*|GIT_EXEC_PATH|GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|SUDO_.*|TERM_PROGRAM.*|VSCODE_.*|ELECTRON_.*',
    // loaders and interpreters
    'LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NODE_.*|NPM_.*|npm_.*|PNPM_.*|NVM_.*|INIT_CWD|PYTHON.*|VIRTUAL_ENV.*|CONDA_.*|PERL5?LIB|PERL5OPT|RUBY(?:LIB|OPT)|GEM_.*|JAVA_HOME|JAVA_TOOL_OPTIONS|CLASSPATH|GOPATH|GOROOT|CARGO_HOME|RUSTUP_.*|PYENV_.*',
    // certificates and proxies name files and addresses of the host
    '(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY|(?:.*_)?SSL_(?:CERT|CA).*|.*_CA_(?:BUNDLE|CERTS?|ROOTS?)(?:_.*)?|.*_SSL_ROOTS_.*|PIP_(?:CERT|CONFIG_FILE|FIND_LINKS|CACHE_DIR)',
    // shell start-up
    'BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|IFS|CDPATH|GLOBIGNORE|POSIXLY_CORRECT|SHLVL|_',
  ].join('|')})$`,
)

/** Values that are credentials whatever their name: well-known token shapes, private keys, passwords in addresses. */
const credentialValue = new RegExp(
  [
    '\\bsk-[A-Za-z0-9_-]{16,}', // OpenAI, Anthropic, DeepSeek
    '\\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}', // Stripe
    '\\bgh[pousr]_[A-Za-z0-9]{20,}', // GitHub
    '\\bgithub_pat_[A-Za-z0-9_]{20,}',
    '\\bglpat-[A-Za-z0-9_-]{16,}', // GitLab
    '\\bxox[abeoprs]-[A-Za-z0-9-]{10,}', // Slack
    '\\bnpm_[A-Za-z0-9]{30,}',
    '\\bpypi-[A-Za-z0-9_-]{30,}',
    '\\bhf_[A-Za-z0-9]{20,}', // Hugging Face
    '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b', // AWS
    '\\bAIza[A-Za-z0-9_-]{30,}', // Google
    '\\bya29\\.[A-Za-z0-9_-]{20,}',
    '\\bSG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', // SendGrid
    '\\beyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*', // JSON Web Token
    '-----BEGIN [A-Z ]*PRIVATE KEY-----',
    '^(?:Bearer|Basic) [A-Za-z0-9+/=._~-]{8,}$',
    '[a-z][a-z0-9+.-]*://[^\\s/:@]*:[^\\s/@]+@', // scheme://user:password@
  ].join('|'),
)

/**
 * The ambient environment without variables whose name says that they are credentials, and
 * without the one that makes `bash -c` read a start-up file. The seam's rule for every executor.
 */
export function scrubCredentialNames(ambient: Environment): Record<string, string> {
  return keep(ambient, (name) => !credentialName.test(name) && name !== shellStartupName)
}

/** Without what means something on the host only; for worlds that are not the host. */
export function scrubHostBound(environment: Environment): Record<string, string> {
  return keep(environment, (name) => !hostBoundName.test(name))
}

/** Without variables whose value is shaped like a credential; for worlds that are not trusted. */
export function scrubCredentialValues(environment: Environment): Record<string, string> {
  return keep(environment, (_name, value) => !credentialValue.test(value))
}

function keep(environment: Environment, wanted: (name: string, value: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && wanted(name, value)) kept[name] = value
  }
  return kept
}
