import type { ErrorCode } from '../../http/docs/error-code.ts'

export const catalogueErrorCodes: readonly ErrorCode[] = [
  {
    code: 'import.columns',
    status: 400,
    sentences: ['… Known columns: ….'],
    remedy: 'Correct the first line of the file.',
    isOfCommand: true,
  },
  {
    code: 'import.csv',
    status: 400,
    sentences: [
      'The file cannot be read from line … on: the row there does not end within … bytes.',
      'The file cannot be read from line … on: a quotation mark that is opened there is never closed. Close it, or double it where it belongs to the text.',
      'The file is no CSV from line … on: ….',
    ],
    remedy: 'Correct the file from that line on, and start the import again.',
    isOfCommand: true,
  },
  {
    code: 'import.file',
    status: 400,
    sentences: [
      'The file … cannot be read: ….',
      'The file … is empty. Its first line must name the columns.',
      'The file holds a line of more than 1,000,000 characters. It is not in JSON lines.',
    ],
    remedy: 'Name a file that can be read, in the format of the command.',
    isOfCommand: true,
  },
  {
    code: 'import.rejects',
    status: 400,
    sentences: [
      'The rejects file … is the file that is imported. Choose another name.',
      'The rejects file … cannot be written: ….',
    ],
    remedy: 'Name another file for the rejected rows.',
    isOfCommand: true,
  },
  {
    code: 'import.stopped',
    status: 409,
    sentences: ['The import was stopped. What is in stays in; the same command goes on from there.'],
    remedy: 'Start the same command again.',
    isOfCommand: true,
  },
  {
    code: 'item.link_not_found',
    status: 404,
    sentences: ['There is no such link.'],
    remedy: 'Take the slug and the slot from the details of an item.',
  },
  {
    code: 'item.not_found',
    status: 404,
    sentences: ["The … content you're looking for doesn't exist or has been removed."],
    remedy: 'Take the slug from the list. An item of the other region, or one for VIPs, is not found here.',
  },
  {
    code: 'links.off',
    status: 409,
    sentences: ['Links are not checked: LINK_CHECKS is off. The command check-links checks them once.'],
    remedy: 'Set LINK_CHECKS to on, or use the command.',
  },
  {
    code: 'search.parameter',
    status: 400,
    sentences: [
      'The parameter … was given … times. Give it once.',
      'The parameter … is …. It must be …',
      'The parameter … is …. It can only be ….',
      'The parameter … has … characters. It may have at most ….',
      'search must be a text of at most 200 characters.',
      'The parameter … must be a whole number from 1 to ….',
      'The parameter state must be one of ….',
    ],
    remedy: 'Correct the parameter that the answer names as its field.',
  },
  {
    code: 'search.vip_only',
    status: 403,
    sentences: ['You are not a VIP to access this page.'],
    remedy: 'Ask for free types, or send the token of a VIP.',
  },
]
