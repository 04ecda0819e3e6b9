import { createServer } from 'node:http'

/**
 * The bare contender: the least that `node:http` can do to send the same bytes under the same headers. It is told by its
 * parent what to answer to which address, and tells on which port it listens.
 */
export type BareAnswers = Map<string, { headers: string[]; body: Buffer }>

process.once('message', (answers: BareAnswers) => {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (answer === undefined) {
      response.writeHead(404, ['content-length', '0']).end()
      return
    }
    response.writeHead(200, answer.headers)
    response.end(answer.body)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : undefined)
  })
})
process.once('disconnect', () => process.exit())
