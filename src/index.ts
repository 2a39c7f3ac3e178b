/** The server as a library: reads a command line as `orchd` does, and starts what it asks for. */
export { readCommandLine, type Invocation, type Request } from './app/options/command-line.ts';
export { startServer, type RunningServer } from './app/server.ts';
export type { ServerConfiguration, ServerSurroundings } from './app/surroundings.ts';
export { readVersion, RELEASE_NAME } from './app/version.ts';
