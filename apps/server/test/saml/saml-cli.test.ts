import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSamlIdentityProvider } from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { command } from "../cli-command";
import { runningService } from "../running-service";
import { temporaryDirectory } from "../temporary-directory";
import { metadataServer } from "./metadata-server";
import { samlTenant } from "./saml-tenant";

test("metadata is saved from a URL or a file, shown, loaded again, and tested", async () => {
	const DATA_DIR = temporaryDirectory();
	const settings = {
		...{ DATA_DIR, SAML: "true", ALLOW_PRIVATE_PROVIDER_HOSTS: "true" },
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const service = await runningService({ ...settings });
	const acme = await samlTenant(service);
	await acme.verifyDomain();
	await service.close();
	const run = (...args: string[]) => command(settings, ["saml", ...args, "--tenant", acme.slug]);

	const off = await command({ ...settings, SAML: "false" }, ["saml", "show", "--tenant", "a"]);
	expect([off.code, off.err]).toEqual([1, "SAML is off. Set SAML=true, also for the server.\n"]);
	expect((await run("show")).out).toMatch(/^identity provider +none$/m);
	expect((await run("refresh", "--json")).err).toContain("SAML_NOT_SET_UP");
	const idp = await makeSamlIdentityProvider("idp");
	const next = await makeSamlIdentityProvider("idp");
	const published = await metadataServer(idp.config.idpMetadata.metadata);

	expect((await run("set")).code).toBe(2);
	expect((await run("set", "--metadata-file", join(DATA_DIR, "none"))).code).toBe(2);
	const both = ["--metadata-url", published.url, "--metadata-file", "x"];
	expect((await run("set", ...both)).code).toBe(2);
	const saved = await run("set", "--metadata-url", published.url);
	expect([saved.code, saved.out]).toEqual([0, expect.stringContaining(published.url)]);

	expect((await run("refresh")).out).toBe("The metadata has not changed.\n");
	published.publish(next.config.idpMetadata.metadata);
	expect((await run("refresh")).out).toBe("Saved the new metadata.\n");
	published.publish("nothing");
	expect(await run("refresh")).toMatchObject({
		code: 1,
		err: expect.stringContaining("not valid"),
	});
	expect((await run("show")).out).toMatch(/^problem +The metadata cannot be used\./m);

	const tested = await run("test");
	expect([tested.code, tested.err]).toEqual([1, "The test did not pass.\n"]);
	expect(tested.out).toMatch(/^metadata +failed +The metadata cannot be used\./m);
	expect(tested.out).toMatch(/^certificate +passed +/m);

	const file = join(DATA_DIR, "metadata.xml");
	writeFileSync(file, idp.config.idpMetadata.metadata);
	expect((await run("set", "--metadata-file", file)).out).toMatch(/^metadata from +pasted$/m);
	expect((await run("test", "--json")).code).toBe(0);
});
