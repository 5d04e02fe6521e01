import { afterAll, onTestFinished } from "vitest";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings/settings";
import { cheapPasswords } from "./cheap-passwords";
import { asManager, managementKey } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

export type PagesTenant = { id: string; slug: string };
export type PagesServer = Awaited<ReturnType<typeof startPages>>;

type StartOptions = NonNullable<Parameters<typeof startServer>[1]>;

let tenantCount = 0;

/** Starts the server on a free port. */
async function startPages(environment: Record<string, string>, options: StartOptions = {}) {
	const settings = readSettings(
		{
			PORT: "0",
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			LOG_LEVEL: "error",
			...environment,
		},
		"/",
	);
	const { baseUrl, close } = await startServer(settings, {
		passwords: cheapPasswords,
		...options,
	});

	const call = async <Answer>(
		path: string,
		headers: Record<string, string>,
		body?: unknown,
	): Promise<Answer> => {
		const response = await fetch(`${baseUrl}${path}`, {
			headers: { "content-type": "application/json", ...headers },
			...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return (await response.json()) as Answer;
	};
	/** Calls a management endpoint: with a body by POST, without one by GET. */
	const manage = <Answer>(path: string, body?: unknown) =>
		call<Answer>(`/api/auth/tenant${path}`, asManager, body);
	return {
		baseUrl,
		close,
		call,
		manage,
		/** Each tenant gets a unique slug. */
		newTenant: (name: string, branding?: object): Promise<PagesTenant> => {
			tenantCount += 1;
			const slug = `${name.toLowerCase()}-${tenantCount}`;
			const metadata = branding ? { metadata: { branding } } : {};
			return manage("/create", { slug, name, ...metadata });
		},
		signUp: ({ id }: PagesTenant, email: string, password: string) =>
			call<{ user: { id: string } }>(
				"/api/auth/tenant/sign-up/email",
				{ "x-tenant-id": id },
				{ name: "Ada Lovelace", email, password },
			),
		signInWithWrongPassword: ({ id }: PagesTenant, email: string) =>
			fetch(`${baseUrl}/api/auth/tenant/sign-in/email`, {
				method: "POST",
				headers: { "content-type": "application/json", "x-tenant-id": id },
				body: JSON.stringify({ email, password: "not the password" }),
			}),
		/** The link in the newest email to this user. */
		emailedLink: async (email: string): Promise<string> => {
			const emails = await call<{ to: string; text: string }[]>("/service/outbox", asManager);
			const link = /https?:\/\/\S+/.exec(emails.find(({ to }) => to === email)?.text ?? "");
			if (!link) throw new Error(`No email to ${email} has a link.`);
			return link[0];
		},
	};
}

/** A server for one test, which knows everything in its database. */
export async function runningPages(
	environment: Record<string, string> = {},
	options: StartOptions = {},
) {
	const server = await startPages({ DATA_DIR: temporaryDirectory(), ...environment }, options);
	onTestFinished(server.close);
	return server;
}

/** A server that the tests of a suite share. Each test creates its own tenants and users. */
export function usePages(environment: Record<string, string> = {}): () => Promise<PagesServer> {
	const DATA_DIR = temporaryDirectory(afterAll);
	let started: Promise<PagesServer> | undefined;
	afterAll(async () => (await started)?.close());
	return () => {
		started ??= startPages({ DATA_DIR, ...environment });
		return started;
	};
}
