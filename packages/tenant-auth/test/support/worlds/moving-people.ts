import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { makeAuthenticator } from "../providers/software-authenticator";
import { totpOf } from "../providers/totp";
import { everyPlugin } from "./every-plugin";
import {
	type Answer,
	type Instance,
	type InstanceOptions,
	makeInstance,
	ORIGIN,
	PASSWORD,
} from "./instance";

/** Every plugin of Better Auth that keeps something for a user. */
const pluginsWithRows = (): BetterAuthPlugin[] => [
	...Object.values(everyPlugin).map((make): BetterAuthPlugin => make()),
	passkey() as unknown as BetterAuthPlugin,
	apiKey({ enableSessionForAPIKeys: true }) as unknown as BetterAuthPlugin,
];

let made = 0;

/** An app with users on the platform who have something of every plugin. */
export async function makePlatform(options: InstanceOptions = {}) {
	const app = await makeInstance({ plugins: pluginsWithRows(), ...options });
	const { call, auth, db } = app;
	const { tables } = await auth.$context;

	async function signUp(name = `person-${++made}`) {
		const email = `${name}@example.com`;
		const body = { name, email, password: PASSWORD, username: name.replaceAll("-", "_") };
		const answer = await call("/sign-up/email", { body });
		return { name, email, id: String(answer.body.user.id), cookie: answer.cookie };
	}

	const signIn = (email: string, tenant?: string) =>
		call("/sign-in/email", { body: { email, password: PASSWORD }, ...(tenant ? { tenant } : {}) });

	const sessionOf = async (cookie: string, tenant?: string) =>
		(await call("/get-session", { cookie, ...(tenant ? { tenant } : {}) })).body;

	const move = (tenantId: string, userIds: string[], more: object = {}) =>
		app.manage("/tenant/user/move", { body: { tenantId, userIds, ...more } });

	/** What all tables contain, past Better Auth. */
	async function dump(): Promise<string> {
		const all: Record<string, unknown> = {};
		for (const { modelName } of Object.values(tables)) {
			const rows = await db.selectFrom(modelName).selectAll().execute();
			all[modelName] = rows.map((row) => JSON.stringify(row)).sort();
		}
		return JSON.stringify(all, null, 1);
	}

	return { ...app, signUp, signIn, sessionOf, move, dump };
}

export type Platform = Awaited<ReturnType<typeof makePlatform>>;
export type Person = Awaited<ReturnType<Platform["signUp"]>>;

/** Turns on the second factor. Returns how to get a code. */
export async function enableSecondFactor({ call }: Pick<Instance, "call">, cookie: string) {
	const { body } = await call("/two-factor/enable", { cookie, body: { password: PASSWORD } });
	const code = () => totpOf(body.totpURI);
	const verified = await call("/two-factor/verify-totp", { cookie, body: { code: code() } });
	return { code, cookie: verified.cookie, backupCodes: body.backupCodes as string[] };
}

/** Registers a passkey. Returns how to sign in with it. */
export async function addPasskey({ call }: Pick<Instance, "call">, cookie: string) {
	const headers = { origin: ORIGIN };
	const authenticator = makeAuthenticator(ORIGIN);
	const asked = await call("/passkey/generate-register-options", { cookie, headers });
	await call("/passkey/verify-registration", {
		cookie: `${cookie}; ${asked.cookie}`,
		headers,
		body: { response: authenticator.register(asked.body.challenge) },
	});
	return async (tenant?: string): Promise<Answer> => {
		const named = tenant ? { tenant } : {};
		const question = await call("/passkey/generate-authenticate-options", { headers, ...named });
		return call("/passkey/verify-authentication", {
			cookie: question.cookie,
			headers,
			...named,
			body: { response: authenticator.authenticate(question.body.challenge) },
		});
	};
}
