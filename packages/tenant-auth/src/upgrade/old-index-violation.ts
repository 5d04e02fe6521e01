export { reportStaleIndex as reportOldIndex } from "./stale-index-warnings";
