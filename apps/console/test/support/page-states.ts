import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Answer, never, refuse } from "./answers";
import type { FakeServer, Handlers } from "./fake-server";
import { allByRole, byRole, findByRole, findTexts, isBusy, textOf } from "./screen";
import { pass, until } from "./time";
import { click } from "./user";

type State = {
	answer: Answer;
	/** Texts that the page shows in this state and in no other. */
	shows: string[];
};

type PageStates = {
	/** Opens the page. The service answers with these handlers. */
	open: (handlers: Handlers) => Promise<FakeServer>;
	/** The request for what the page shows: `GET /tenant/list`. */
	request: string;
	filled: State;
	/** Missing only if the page always has something to show. */
	empty?: State;
	/**
	 * How the page says that the caller may not see it. Without it, the page asks the service, and shows
	 * what the service says.
	 */
	forbidden?: { handlers: Handlers; shows: string[] };
};

const UNAVAILABLE = "The database is not available.";
const NOT_ALLOWED = "You are not allowed to manage tenants";

/** The states that every page has: loading, filled, empty, failed and forbidden. */
export function describePageStates(page: string, states: PageStates): void {
	const { open, request, filled, empty, forbidden } = states;

	describe(page, () => {
		test("says that it loads, and shows nothing else yet", async () => {
			const server = await open({ [request]: never() });
			// Before it asks for this, other parts of the page may say that they load.
			await until(() => server.sent(request).length > 0);
			await pass(10);
			expect(server.sent(request)).not.toEqual([]);
			expect(isBusy()).toBe(true);
			for (const text of notEmpty(filled.shows)) expect(textOf(document.body)).not.toContain(text);
			expect(allByRole("alert")).toEqual([]);
		});

		test("shows what the service has", async () => {
			const server = await open({ [request]: filled.answer });
			await findTexts(...filled.shows);
			expect(server.sent(request)).not.toEqual([]);
			expect(isBusy()).toBe(false);
		});

		if (empty) {
			test("says that there is nothing yet", async () => {
				const { answer, shows } = empty;
				await open({ [request]: answer });
				await findTexts(...shows);
				expect(isBusy()).toBe(false);
			});
		}

		test("says why it could not load, and loads again when the user asks for it", async () => {
			const server = await open({ [request]: refuse(503, "STORAGE_UNAVAILABLE", UNAVAILABLE) });
			const alert = await findByRole("alert");
			expect(textOf(alert)).toContain(UNAVAILABLE);
			expect(isBusy()).toBe(false);

			server.answer({ [request]: filled.answer });
			await click(byRole("button", "Try again", alert));
			await findTexts(...filled.shows);
			expect(allByRole("alert")).toEqual([]);
		});

		if (forbidden) {
			test("says that the caller may not see it, and asks the service for nothing", async () => {
				const server = await open({ [request]: filled.answer, ...forbidden.handlers });
				await findTexts(...forbidden.shows);
				expect(server.sent(request)).toEqual([]);
				expect(isBusy()).toBe(false);
			});
		} else {
			test("says that the service does not allow it, and does not ask again", async () => {
				const server = await open({
					[request]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", NOT_ALLOWED),
				});
				expect(textOf(await findByRole("alert"))).toContain(NOT_ALLOWED);
				const { length } = server.sent(request);
				await pass(5000);
				expect(server.sent(request)).toHaveLength(length);
			});
		}
	});
}
