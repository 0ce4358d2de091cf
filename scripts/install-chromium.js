// Installs the browser that the page tests need, where that is possible without asking: Debian's, as root. Elsewhere the
// tests say that they are skipped; with CI=true they fail.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const executable = process.env.CHROMIUM ?? '/usr/bin/chromium'
const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

if (!existsSync(executable) && canInstall) {
  console.log('installing chromium for the tests of pages')
  const quietly = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...words) => spawnSync('/usr/bin/apt-get', ['-qq', ...words], quietly).status === 0
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!install() && !(apt('update') && install())) console.warn('chromium could not be installed')
}
