// Drives `playtree gtp gomoku` by @sabaki/gtp, the part of Sabaki that talks to engines: a whole
// game, each move analyzed before it is played. Called by clients.sh with the program to run.

import assert from 'node:assert/strict'
import gtp from '@sabaki/gtp'

const { Controller } = gtp
const engine = new Controller(process.argv[2], ['gtp', 'gomoku', 'mcts:simulations=3000'])
engine.start()

async function ask(name, ...args) {
    const { content, error } = await engine.sendCommand({ name, args })
    assert.equal(error, false, `${name} ${args.join(' ')}: ${content}`)
    return content
}

// As Sabaki reads a line: entries by 'info', in each keys with values up to 'pv'.
function entries(line) {
    return line.split(/\s*info\s+/).slice(1).map(entry => {
        const [head, pv] = entry.split(/\s+pv\s+/)
        const words = head.trim().split(/\s+/)
        const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1]]] : []))
        return { ...Object.fromEntries(pairs), pv: pv.trim().split(/\s+/) }
    })
}

// What an analysis says until it is interrupted by the next command.
async function analyze(name, colour) {
    const lines = []
    let seen
    const enough = new Promise(resolve => (seen = resolve))
    const ended = engine.sendCommand({ name, args: [colour, '5'] }, ({ line }) => {
        if (line.startsWith('info')) lines.push(line)
        if (lines.length >= 3) seen()
    })
    await enough
    await ask('name')
    await ended
    return entries(lines.at(-1))
}

const commands = (await ask('list_commands')).split('\n')
for (const name of ['lz-analyze', 'kata-analyze', 'genmove_analyze']) assert(commands.includes(name))
await ask('boardsize', '7')
await ask('clear_board')
let plies = 0
for (;;) {
    const colour = plies % 2 === 0 ? 'B' : 'W'
    const score = await engine.sendCommand({ name: 'final_score' })
    if (!score.error) {
        console.log(`a game of ${plies} plies ended with ${score.content}`)
        break
    }
    assert(plies < 49, 'a board of 49 points is full')
    if (plies < 4) {
        const lz = await analyze('lz-analyze', colour)
        assert(Number.isInteger(+lz[0].winrate) && +lz[0].winrate <= 10000, lz[0].winrate)
        assert(+lz[0].visits > 0 && lz[0].pv[0] === lz[0].move)
        const kata = await analyze('kata-analyze', colour)
        assert(+kata[0].winrate <= 1 && 'scoreLead' in kata[0])
    }
    await ask('genmove', colour)
    plies += 1
}
await engine.stop()
