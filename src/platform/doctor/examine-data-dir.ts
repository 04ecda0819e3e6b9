import { stat } from 'node:fs/promises'
import { isNewDatabase } from '../../db/open.ts'
import { ConfigError } from '../config/config.ts'
import type { PlatformConfig } from '../config/platform-config.ts'
import { freeBytesOf, littleBytes, refuseFullDisk } from '../disk-space.ts'
import { isAppError } from '../errors.ts'
import { isOpenToOthers } from '../private-folder.ts'
import { type DoctorCheck, type Finding, good, problem, sentenceOf, warning } from './doctor-check.ts'

const megabyte = 1024 * 1024

export const dataDirCheck: DoctorCheck<{ config: PlatformConfig }> = { about: 'Data directory', examine }

async function* examine({ config }: { config: PlatformConfig }): AsyncGenerator<Finding> {
  const { dataDir } = config
  try {
    await refuseFullDisk({ databaseUrl: undefined, dataDir }, isNewDatabase(config))
  } catch (error) {
    const isKnown = error instanceof ConfigError || isAppError(error)
    const advice = isAppError(error)
      ? 'Make room on its disk.'
      : 'Name a directory that this user may write to in DATA_DIR.'
    yield problem(isKnown ? error.message : sentenceOf(error), advice)
    return
  }
  const free = await freeBytesOf(dataDir)
  const room = `${Math.floor(free / megabyte).toLocaleString('en-US')} MB are free in ${dataDir}`
  const isLittle = free < littleBytes
  if (isLittle) yield warning(`only ${room}.`, 'Make room before it is full: nothing is written below 64 MB.')
  const isThere = await stat(dataDir).then(
    () => true,
    () => false,
  )
  const isOpen = isThere && (await isOpenToOthers(dataDir))
  if (isOpen) {
    const advice = `A start closes it where it can. Otherwise: chmod 700 ${dataDir}`
    yield warning('other users of this machine may read it.', advice)
  }
  if (!isLittle && !isOpen) yield good(`${room}, and only its owner may read it.`)
}
