import { count } from "./output";

/** What a row with encrypted values is, and what to do if no secret decrypts it any more. */
const rows: Readonly<Record<string, { one: string; replace: string }>> = {
	tenantOauthConfig: {
		one: "OAuth config",
		replace: "set them again with oauth-config set",
	},
	tenantWebhook: {
		one: "webhook secret",
		replace: "rotate the secret of each webhook in the console",
	},
	twoFactor: {
		one: "second factor",
		replace: "remove the second factor of each user in the console, so that they set up a new one",
	},
	account: {
		one: "linked account",
		replace: "let these users sign in with their provider again",
	},
	jwks: {
		one: "signing key",
		replace: "delete these rows of the table jwks, so that new keys are created",
	},
	oauthClient: {
		one: "application secret",
		replace: "rotate the secret of each application",
	},
};

const rowOf = (model: string) =>
	rows[model] ?? { one: `row of ${model}`, replace: "delete these rows" };

export const countRows = (number: number, model: string): string => count(number, rowOf(model).one);

/** For values that no secret decrypts. */
export const remedyFor = (model: string): string =>
	`Add the secret that encrypted them to BETTER_AUTH_SECRETS or BETTER_AUTH_SECRET, and run secrets rotate. If it is lost, ${rowOf(model).replace}.`;
