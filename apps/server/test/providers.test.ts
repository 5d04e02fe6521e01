import { socialProviders } from "@better-auth/core/social-providers";
import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { newTenant, runningService } from "./running-service";

const ids = Object.keys(socialProviders);
const requiredOptions = {
	COGNITO_DOMAIN: "example.auth.eu-west-1.amazoncognito.com",
	COGNITO_REGION: "eu-west-1",
	COGNITO_USER_POOL_ID: "eu-west-1_Ab",
};

test("a tenant without OAuth configs signs in with the host providers of the environment", async () => {
	const clients = ids.flatMap((id) => [
		[`${id.toUpperCase()}_CLIENT_${id === "tiktok" ? "KEY" : "ID"}`, `${id}-client`],
		[`${id.toUpperCase()}_CLIENT_SECRET`, `${id}-secret`],
	]);
	const { post, call } = await runningService({
		...Object.fromEntries(clients),
		...requiredOptions,
	});
	const tenant = { "x-tenant-id": await newTenant(post) };
	const options = await call("/api/auth/tenant/login-options?slug=acme");
	const { providers } = (await options.json()) as { providers: string[] };
	expect(providers.sort()).toEqual([...ids].sort());
	for (const provider of notEmpty(ids)) {
		const started = await post("/tenant/sign-in/social", { provider, callbackURL: "/" }, tenant);
		const { url } = (await started.json()) as { url: string };
		expect(new URL(url).search).toContain(`=${provider}-client`);
		expect(url).not.toContain(`${provider}-secret`);
	}
});
