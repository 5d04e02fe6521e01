import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { addUnverified, makeDomainApp } from "../support/worlds/domain-app";
import { useWorld } from "../support/worlds/world";

describe("the host name of a domain", () => {
	const world = useWorld(() => makeDomainApp());

	it.each([
		["Login.Acme.COM", "login.acme.com"],
		["  login.acme.com ", "login.acme.com"],
		["bücher.example", "xn--bcher-kva.example"],
		["xn--bcher-kva.example", "xn--bcher-kva.example"],
		["例え.テスト.example", "xn--r8jz45g.xn--zckzah.example"],
		// Letters of another script that look like Latin ones stay visible as what they are.
		["\u0430cme.com", "xn--cme-5cd.com"],
		// The same letters in another form are the same name.
		["\uff41cme.com", "acme.com"],
		["acme。com", "acme.com"],
	])("%j is stored as %j", async (written, host) => {
		expect((await addUnverified(world(), written)).body).toMatchObject({ host });
	});

	it.each([
		"",
		" ",
		"acme",
		"com",
		"localhost",
		"acme.localhost",
		"127.0.0.1",
		"0x7f.1",
		"2130706433",
		"[::1]",
		"::1",
		"10.0.0.1.",
		"acme.com.",
		".acme.com",
		"acme..com",
		"-acme.com",
		"acme-.com",
		"acme_1.com",
		"_dmarc.acme.com",
		"*.acme.com",
		"acme.com:443",
		"acme.com:8443",
		"https://acme.com",
		"acme.com/path",
		"acme.com?query",
		"acme.com#hash",
		"user@acme.com",
		"acme.com\\evil.com",
		"acme.com evil.com",
		"acme.com\nevil.com",
		"acme.com\u0000",
		"%61cme.com",
		"acme.c%6Fm",
		"acme.123",
		"co.uk",
		"com.au",
		"router.local",
		"db.internal",
		"acme.test",
		"4.3.2.1.in-addr.arpa",
		`${"a".repeat(64)}.com`,
		`${"a.".repeat(150)}com`,
		"x".repeat(1024),
	])("%j is refused", async (host) => {
		expectRefusal(await addUnverified(world(), host), 400, "INVALID_DOMAIN");
		expectRefusal(await addUnverified(world(), host, "email"), 400, "INVALID_DOMAIN");
	});

	it("is not one of the app's own hosts", async () => {
		const app = await makeDomainApp();
		const context = await app.auth.$context;
		context.baseURL = "https://auth.acme.com/api/auth";
		expectRefusal(await addUnverified(app, "auth.acme.com"), 400, "INVALID_DOMAIN");
		expectRefusal(await addUnverified(app, "x.auth.acme.com"), 400, "INVALID_DOMAIN");
		expect((await addUnverified(app, "acme.com")).status).toBe(200);
		expect((await addUnverified(app, "auth.acme.com", "email")).status).toBe(200);
	});

	it("is not a public suffix that the app knows", async () => {
		const isPublicSuffix = (host: string) => host === "github.io";
		const app = await makeDomainApp({ domains: { isPublicSuffix } });
		for (const purpose of ["login", "email"]) {
			for (const host of ["github.io", "GitHub.io", "co.uk"]) {
				expectRefusal(await addUnverified(app, host, purpose), 400, "INVALID_DOMAIN");
			}
			expect((await addUnverified(app, "acme.github.io", purpose)).status).toBe(200);
		}
	});

	it("may be one of at most a hundred", async () => {
		const app = await makeDomainApp();
		for (let n = 0; n < 100; n += 1) await addUnverified(app, `n${n}.example.com`);
		expectRefusal(await addUnverified(app, "one-more.example.com"), 409, "TOO_MANY_DOMAINS");
	});
});
