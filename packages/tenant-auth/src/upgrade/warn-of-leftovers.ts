export { warnAboutStaleIndexes as warnOfLeftovers } from "./stale-index-warnings";
