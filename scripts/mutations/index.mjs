// Security checks that `npm run test:mutations` takes out, one after the other. A new check gets an entry
// here: its name is the rule in plain words, and `caughtBy` is a suite of `npm test` that must fail.

import { IDENTITY } from "./identity.mjs";
import { ISOLATION } from "./isolation.mjs";
import { MANAGEMENT } from "./management.mjs";
import { NETWORK } from "./network.mjs";
import { POLICY } from "./policy.mjs";
import { SERVER } from "./server.mjs";

/**
 * @typedef {object} Mutation
 * @property {string} name the rule that does not hold any more
 * @property {string} file the source, from the root of the repository
 * @property {string} find a text that is in the source once
 * @property {string} replace what the text becomes
 * @property {string} caughtBy the test file that must fail
 */

/** @type {readonly Mutation[]} */
export const MUTATIONS = [
	...ISOLATION,
	...MANAGEMENT,
	...POLICY,
	...IDENTITY,
	...NETWORK,
	...SERVER,
];
