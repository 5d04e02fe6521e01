import { join } from "node:path";
import Database from "libsql";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import {
	atTheEndOfFile,
	connect,
	type IssuingTenant,
	POST_LOGOUT_URI,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { temporaryDirectory } from "./temporary-directory";

let issuers: RunningIssuers;
let acme: IssuingTenant;
let change: (sql: string, ...values: string[]) => void;

const atTheEnd = atTheEndOfFile();

beforeAll(async () => {
	const DATA_DIR = temporaryDirectory(atTheEnd);
	issuers = await runningIssuers(atTheEnd, { DATA_DIR });
	acme = await issuers.newTenant("acme");
	const database = new Database(join(DATA_DIR, "auth.db"), { timeout: 5000 });
	atTheEnd(() => void database.close());
	change = (sql, ...values) => void database.prepare(sql).run(...values);
});

/** A user signs in at an application, on a device of their own. */
async function useApp(more: object = {}) {
	const application = await issuers.createApplication(acme.tenantId, more);
	const config = await connect(acme, application);
	const { browser, tokens } = await signInAt(issuers, acme, config);
	return { application, config, browser, tokens, first: tokens.refresh_token ?? "" };
}

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		() => "refreshed",
		(error: { error?: string }) => error.error,
	);

const DAY = 24 * 60 * 60 * 1000;
const past = () => new Date(Date.now() - 1000).toISOString();

describe("a refresh token", () => {
	it("gives the same new one to requests at the same time", async () => {
		const { config, first } = await useApp();
		const all = await Promise.all(
			Array.from({ length: 6 }, () => openid.refreshTokenGrant(config, first)),
		);
		const [next = "", ...others] = new Set(all.map((tokens) => tokens.refresh_token));
		expect(others).toEqual([]);
		expect(await outcomeOf(openid.refreshTokenGrant(config, next))).toBe("refreshed");
	});

	it("that is used again later ends its own grant, and no other device", async () => {
		const { config, first } = await useApp();
		const { tokens: other } = await signInAt(issuers, acme, config);
		const next = await openid.refreshTokenGrant(config, first);
		change(
			'update "oauthRefreshToken" set "rotationReplayExpiresAt" = ? where "rotatedAt" is not null',
			past(),
		);
		expect(await outcomeOf(openid.refreshTokenGrant(config, first))).toBe("invalid_grant");
		const second = next.refresh_token ?? "";
		expect(await outcomeOf(openid.refreshTokenGrant(config, second))).toBe("invalid_grant");
		expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false });
		const untouched = openid.refreshTokenGrant(config, other.refresh_token ?? "");
		expect(await outcomeOf(untouched)).toBe("refreshed");
	});

	it("ends with a sign-out that the application starts", async () => {
		const { config, browser, tokens, first } = await useApp({ offlineAccess: true });
		const { url } = await browser.open(
			openid.buildEndSessionUrl(config, {
				id_token_hint: tokens.id_token ?? "",
				post_logout_redirect_uri: POST_LOGOUT_URI,
			}),
		);
		expect(String(url)).toContain(POST_LOGOUT_URI);
		expect(await outcomeOf(openid.refreshTokenGrant(config, first))).toBe("invalid_grant");
	});

	it.each([
		["web", {}, "invalid_grant"],
		["web with offline access", { offlineAccess: true }, "refreshed"],
		["native", { type: "native" }, "refreshed"],
		["native without offline access", { type: "native", offlineAccess: false }, "invalid_grant"],
	])("of an expired session, for an application: %s", async (_, more, outcome) => {
		const { config, tokens, first } = await useApp(more);
		const sid = String(tokens.claims()?.sid);
		change('update "session" set "expiresAt" = ? where "id" = ?', past(), sid);
		expect(await outcomeOf(openid.refreshTokenGrant(config, first))).toBe(outcome);
	});

	it("ends some days after the sign-in, as the application has it", async () => {
		const { config, first } = await useApp({ refreshDays: 2 });
		const other = await useApp();
		const end = (days: number) => new Date(Date.now() - days * DAY).toISOString();
		change('update "oauthRefreshToken" set "authTime" = ?', end(1.9));
		const next = await openid.refreshTokenGrant(config, first);
		change('update "oauthRefreshToken" set "authTime" = ?', end(2.1));
		const again = openid.refreshTokenGrant(config, next.refresh_token ?? "");
		expect(await outcomeOf(again)).toBe("invalid_grant");
		const untouched = openid.refreshTokenGrant(other.config, other.first);
		expect(await outcomeOf(untouched)).toBe("refreshed");
	});

	it("ends no later than the service has it", async () => {
		const { config, first } = await useApp({ refreshDays: 3650 });
		change(
			'update "oauthRefreshToken" set "authTime" = ?',
			new Date(Date.now() - 31 * DAY).toISOString(),
		);
		expect(await outcomeOf(openid.refreshTokenGrant(config, first))).toBe("invalid_grant");
	});

	it("of a service-wide application outlives sessions if that may", async () => {
		const application = await issuers.createServiceApplication({ offlineAccess: true });
		const config = await connect(acme, application);
		const { tokens } = await signInAt(issuers, acme, config);
		const sid = String(tokens.claims()?.sid);
		change('update "session" set "expiresAt" = ? where "id" = ?', past(), sid);
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(next.claims()).not.toHaveProperty("sid");
	});
});
