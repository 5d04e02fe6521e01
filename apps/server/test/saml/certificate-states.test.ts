import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInTenant } from "better-auth-tenant";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { command } from "../cli-command";
import { type RunningService, runningService } from "../running-service";
import { temporaryDirectory } from "../temporary-directory";
import { metadataServer } from "./metadata-server";
import { samlTenant } from "./saml-tenant";

const DAY_MS = 24 * 60 * 60_000;

let idp: SamlIdentityProvider;
let rotated: SamlIdentityProvider;

beforeAll(async () => {
	idp = await makeSamlIdentityProvider("idp");
	rotated = await makeSamlIdentityProvider("idp");
});

const metadataOf = (one: SamlIdentityProvider) => one.config.idpMetadata.metadata;

const newSettings = () => ({
	DATA_DIR: temporaryDirectory(),
	BETTER_AUTH_URL: "http://localhost:3000",
	BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	SAML: "true",
	ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
	MAIL_FROM: "login@example.com",
});

async function connected(service: RunningService, name: string, metadata: object) {
	const tenant = await samlTenant(service, { name });
	await tenant.verifyDomain();
	const { status, body } = await tenant.manage("/tenant/saml/set", metadata);
	expect(status).toBe(200);
	const [{ expiresAt }] = body.identityProvider.certificates;
	return { ...tenant, expiresAt: new Date(expiresAt) };
}

/** As if somebody had changed the row by hand, or restored a part of it. */
async function breakRow(
	{ backend }: RunningService,
	tenantId: string,
	change: (samlConfig: string) => string,
): Promise<void> {
	const { auth } = backend;
	const { adapter } = await auth.$context;
	await runInTenant(auth, tenantId, async () => {
		const where = [{ field: "providerId", value: "saml" }];
		const row = await adapter.findOne<{ samlConfig: string }>({ model: "ssoProvider", where });
		const update = { samlConfig: change(row?.samlConfig ?? "") };
		expect(await adapter.updateMany({ model: "ssoProvider", where, update })).toBe(1);
	});
}

const cutOff = (text: string) => text.slice(0, 40);
const withoutCertificate = (text: string) => text.replaceAll("X509Certificate", "Other");

async function statesIn({ backend }: RunningService): Promise<Record<string, number>> {
	const text = await backend.metrics.text();
	return Object.fromEntries(
		[...text.matchAll(/^auth_saml_tenants\{state="(\w+)"\} (\d+)$/gm)].map(([, state, count]) => [
			String(state),
			Number(count),
		]),
	);
}

function setTime(time: number): void {
	vi.useFakeTimers({ toFake: ["Date"], now: time });
	onTestFinished(() => void vi.useRealTimers());
}

test("the metrics have the number of tenants whose certificate ends, without their names", async () => {
	const service = await runningService(newSettings());
	const none = { ok: 0, expiring: 0, expired: 0, unreadable: 0 };
	const acme = await connected(service, "acme", { metadata: metadataOf(idp) });
	const broken = await connected(service, "broken", { metadata: metadataOf(idp) });
	await breakRow(service, broken.tenantId, cutOff);
	const empty = await connected(service, "empty", { metadata: metadataOf(idp) });
	await breakRow(service, empty.tenantId, withoutCertificate);
	const closed = await connected(service, "closed", { metadata: metadataOf(idp) });
	await closed.manage("/tenant/suspend");
	const end = acme.expiresAt.getTime();
	expect(await statesIn(service)).toEqual({ ...none, ok: 1, unreadable: 2 });
	expect(await service.backend.metrics.text()).not.toContain(acme.slug);

	setTime(end - 29 * DAY_MS);
	expect(await statesIn(service)).toEqual({ ...none, expiring: 1, unreadable: 2 });
	await acme.manage("/tenant/saml/remove");
	expect(await statesIn(service), "within an hour").toMatchObject({ expiring: 1 });
	setTime(end - 28 * DAY_MS);
	expect(await statesIn(service)).toEqual({ ...none, unreadable: 2 });
	await closed.manage("/tenant/resume");
	setTime(end + DAY_MS);
	expect(await statesIn(service)).toEqual({ ...none, expired: 1, unreadable: 2 });
});

test("without SAML, the metrics say that no tenant has it", async () => {
	const service = await runningService();
	expect(await statesIn(service)).toEqual({ ok: 0, expiring: 0, expired: 0, unreadable: 0 });
});

test("the doctor names tenants whose certificate ends or whose metadata cannot be read or loaded", async () => {
	const settings = newSettings();
	const service = await runningService(settings);
	const pasted = await connected(service, "pasted", { metadata: metadataOf(idp) });
	const published = await metadataServer(metadataOf(idp));
	const loaded = await connected(service, "loaded", { metadataUrl: published.url });
	const broken = await connected(service, "broken", { metadata: metadataOf(idp) });
	const doctor = async () => {
		const { out } = await command(settings, ["doctor", "--offline", "--json"]);
		const { checks } = JSON.parse(out);
		return checks.find(({ check }: { check: string }) => check === "saml");
	};
	expect(await doctor()).toEqual({
		check: "saml",
		status: "ok",
		summary: "3 identity providers can be used",
		findings: [],
	});

	await breakRow(service, broken.tenantId, cutOff);
	published.publish("nothing");
	expect((await loaded.manage("/tenant/saml/refresh")).status).toBe(400);
	const since = new Date().toISOString().slice(0, 10);
	const end = pasted.expiresAt.getTime();
	setTime(end - 3 * DAY_MS);
	const date = pasted.expiresAt.toISOString().slice(0, 10);
	const { status, findings } = await doctor();
	expect(status).toBe("problem");
	expect(findings).toHaveLength(4);
	expect(findings).toEqual(
		expect.arrayContaining([
			{
				problem: `The SAML certificate of ${pasted.slug} expires on ${date}.`,
				remedy: `Ask the company for new metadata, and save it: tenant-auth saml set --tenant ${pasted.slug}`,
			},
			{
				problem: `The SAML certificate of ${loaded.slug} expires on ${date}.`,
				remedy: `Let the company publish a new one at its metadata URL, and run: tenant-auth saml refresh --tenant ${loaded.slug}`,
			},
			{
				problem: expect.stringContaining(
					`The SAML metadata of ${loaded.slug} has not been loaded since ${since}: The metadata cannot be used.`,
				),
				remedy: expect.stringContaining(`tenant-auth saml test --tenant ${loaded.slug}`),
			},
			{
				problem: `The SAML identity provider of ${broken.slug} cannot be read, so nobody can sign in with it.`,
				remedy: expect.stringContaining(`tenant-auth saml set --tenant ${broken.slug}`),
			},
		]),
	);
	setTime(end + DAY_MS);
	const text = await command(settings, ["doctor", "--offline"]);
	expect(text.code).toBe(1);
	expect(text.out).toContain(`The SAML certificate of ${pasted.slug} expired on ${date}.`);
	const off = await command({ ...settings, SAML: "false" }, ["doctor", "--offline"]);
	expect(off.out).toMatch(/^skipped {2}saml +SAML is off$/m);
});

test("an identity provider that cannot be read is reported, and saved again on the command line", async () => {
	const settings = newSettings();
	const service = await runningService(settings);
	const published = await metadataServer(metadataOf(idp));
	const broken = await connected(service, "broken", { metadataUrl: published.url });
	const empty = await connected(service, "empty", { metadataUrl: published.url });
	await connected(service, "acme", { metadataUrl: published.url });
	await breakRow(service, broken.tenantId, cutOff);
	await breakRow(service, empty.tenantId, withoutCertificate);
	published.publish(metadataOf(rotated));
	expect(await service.jobs.run("saml-metadata")).toEqual({
		...{ checked: 3, changed: 1, failed: 0, unreadable: 2 },
	});
	const warned = service
		.logged()
		.filter(({ msg }) => msg === "SAML identity provider of a tenant cannot be read");
	expect(warned.map(({ level, tenantId }) => [level, tenantId]).sort()).toEqual(
		[broken, empty].map(({ tenantId }) => ["warn", tenantId]).sort(),
	);

	const saml = (name: string, ...args: string[]) =>
		command(settings, ["saml", name, "--tenant", broken.slug, ...args]);
	for (const name of ["show", "test", "refresh"]) {
		const { code, err } = await saml(name, "--json");
		expect([code, JSON.parse(err).error.code]).toEqual([1, "SAML_UNREADABLE"]);
	}
	const file = join(settings.DATA_DIR, "metadata.xml");
	writeFileSync(file, metadataOf(idp));
	expect((await saml("set", "--metadata-file", file)).code).toBe(0);
	expect((await saml("show")).out).toMatch(/^metadata from +pasted$/m);
});
