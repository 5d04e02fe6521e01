/** As long as the identity provider may take. */
export const FLOW_SECONDS = 10 * 60;

/** How much its clock may differ from ours. */
export const MAX_CLOCK_SKEW_MS = 2 * 60_000;
