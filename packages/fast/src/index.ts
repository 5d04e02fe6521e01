export { fastHandler } from "./handler/fast-handler";
export { getSession } from "./session/get-session";
export type { ReadSession, SessionRead } from "./session/session-read";
export { fastStatements } from "./statements/fast-statements";
