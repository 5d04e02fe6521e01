export { fastHandler } from "./handler/fast-handler";
export { fastStatements } from "./statements/fast-statements";
