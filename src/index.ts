/** The server as a library: reads a command line as `orchd` does, and starts what it asks for. */
export { readCommandLine, type Invocation, type Request } from './app/options/command-line.ts';
export {
  startServer,
  type RunningServer,
  type ServerConfiguration,
  type ServerSurroundings,
} from './app/server.ts';
export { readVersion, RELEASE_NAME } from './app/version.ts';
