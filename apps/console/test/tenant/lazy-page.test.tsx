// @vitest-environment happy-dom
import { Suspense } from "react";
import { expect, test } from "vitest";
import { en } from "../../src/sign-in/texts/en";
import { TextsProvider } from "../../src/sign-in/texts/TextsProvider";
import { lazyPage } from "../../src/tenant/lazy-page";
import { createTenantQueryClient } from "../../src/tenant/TenantApp";
import { mount } from "../support/mount";
import { byRole, findTexts } from "../support/screen";

test("a page whose file is gone can be loaded again", async () => {
	const Gone = lazyPage(() => Promise.reject(new Error("404")));
	await mount({
		path: "/t/acme/account",
		queryClient: createTenantQueryClient(),
		meta: {},
		app: () => ({
			element: (
				<TextsProvider texts={en}>
					<Suspense fallback={null}>
						<Gone />
					</Suspense>
				</TextsProvider>
			),
		}),
	});
	await findTexts("Could not load this page", "A part of this page did not load.");
	expect(byRole("button", "Try again")).toBeTruthy();
});
