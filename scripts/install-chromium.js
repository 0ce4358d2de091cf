// Installs the browser that the tests of pages need, where that is possible without asking: Debian's, as root. Elsewhere the
// tests say that they are skipped; with CI=true they fail.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { browsers, findChromium } from './find-chromium.js'

const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
const found = findChromium()
// In CI the quick one, even if there is another.
const isEnough = found && (!process.env.CI || process.env.CHROMIUM || found.endsWith(browsers[0]))

if (!isEnough && canInstall) {
  console.log('installing chromium for the tests of pages')
  const quietly = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const apt = (...words) => spawnSync('/usr/bin/apt-get', ['-qq', ...words], quietly).status === 0
  const install = (name) => apt('install', '-y', '--no-install-recommends', name)
  // The lists of packages may be missing or old; a distribution may have only the whole browser.
  const isInstalled = install(browsers[0]) || (apt('update') && browsers.some(install))
  if (!isInstalled) console.warn('chromium could not be installed')
}
