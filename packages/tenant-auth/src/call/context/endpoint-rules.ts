import { FOREIGN_PATHS, GLOBAL_FIELDS } from "../foreign";
import type { EndpointRules, RowFields } from "../foreign/endpoint-rules";
import type { SignInMethod, SignInPart } from "../foreign/sign-in-methods";

/** Where core and plugins store the tokens of emails, cookies and social flows. */
export const VERIFICATIONS: RowFields = { verification: ["identifier"] };

export const isGlobalField = (model: string, field: string): boolean =>
	GLOBAL_FIELDS[model]?.includes(field) === true;

const RULES: Readonly<Record<string, EndpointRules>> = {
	...FOREIGN_PATHS,
	// Our own callback, without `/tenant`.
	"/callback/:providerId": { social: "start", signIn: "social", endsSignIn: true },
};

const NONE: EndpointRules = {};

export const rulesOf = (path: string | undefined): EndpointRules =>
	path !== undefined && Object.hasOwn(RULES, path) ? (RULES[path] ?? NONE) : NONE;

/** The paths of core's endpoints that have a counterpart of ours. */
export const mirroredPaths = Object.keys(RULES).filter((path) => RULES[path]?.mirrored);

export const mirrorOf = (path: string) => `/tenant${path}`;

/** The path of core that does the same as this path of ours. */
export function coreCounterpartOf(path: string): string | undefined {
	const core = path.replace(/^\/tenant/, "");
	return mirroredPaths.includes(core) || core.startsWith("/callback/") ? core : undefined;
}

/** Whether a path belongs to this plugin. */
export const isOurs = (path: string | undefined): boolean => path?.startsWith("/tenant/") === true;

/** Where core finishes a social sign-in. */
export const isSocialCallback = (path: string | undefined): boolean =>
	rulesOf(path).social === "finish";

/** Whether an endpoint of core, or its counterpart, starts or finishes a social sign-in. */
export const isSocialSignIn = (path: string | undefined): boolean =>
	rulesOf(path?.replace(/^\/tenant/, "")).social !== undefined;

/** Endpoints of ours that end a sign-in, and that core does not have. */
const OWN_SIGN_INS: Readonly<Record<string, ReportedMethod>> = {
	"/tenant/sign-in-link": "sign-in-link",
};

/** How somebody signed in, as events and the sign-in log say it. */
export type ReportedMethod = SignInMethod | SignInPart | "sign-in-link";

/** How a user signs in at a path of core, of a plugin, or of ours; `null` if nobody does. */
export function signInMethodAt(path: string | undefined): ReportedMethod | null {
	if (path === undefined) return null;
	if (Object.hasOwn(OWN_SIGN_INS, path)) return OWN_SIGN_INS[path] ?? null;
	const { endsSignIn, signIn } = rulesOf(coreCounterpartOf(path) ?? path);
	if (endsSignIn !== true) return endsSignIn ?? null;
	return signIn === undefined || signIn === "continued" || signIn === "managed" ? null : signIn;
}

/** Whether a plugin in the app's list is ours. In JavaScript, a plugin may have no id. */
export const isOurPlugin = ({ id }: { id?: unknown }): boolean =>
	String(id).startsWith("tenant-auth");
