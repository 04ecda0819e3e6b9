/** The media types of the formats that entries name, by their names in capitals. */
const types: Readonly<Record<string, string>> = {
  EPUB: 'application/epub+zip',
  PDF: 'application/pdf',
  MOBI: 'application/x-mobipocket-ebook',
  AZW3: 'application/vnd.amazon.mobi8-ebook',
  FB2: 'application/x-fictionbook+xml',
  DJVU: 'image/vnd.djvu',
  CBZ: 'application/vnd.comicbook+zip',
  CBR: 'application/vnd.comicbook-rar',
  TXT: 'text/plain',
  HTML: 'text/html',
  RTF: 'application/rtf',
  DOC: 'application/msword',
  DOCX: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ODT: 'application/vnd.oasis.opendocument.text',
  ZIP: 'application/zip',
  MP3: 'audio/mpeg',
  M4B: 'audio/mp4',
  M4A: 'audio/mp4',
  OGG: 'audio/ogg',
  OPUS: 'audio/ogg',
  FLAC: 'audio/flac',
  WAV: 'audio/wav',
  MP4: 'video/mp4',
  WEBM: 'video/webm',
  JPG: 'image/jpeg',
  JPEG: 'image/jpeg',
  PNG: 'image/png',
}

/** The media type of a format; that of a page for one that is not known. */
export function mediaTypeOf(format: string | undefined): string {
  return types[format?.trim().toUpperCase() ?? ''] ?? 'text/html'
}
