import { describe, expect, test } from "vitest";
import { type Answer, never, refuse } from "./answers";
import type { FakeServer, Handlers } from "./fake-server";
import { sessionEnded } from "./fixtures/adas-account";
import { allByRole, byRole, findByRole, findTexts, textOf } from "./screen";
import { pass, until } from "./time";
import { click } from "./user";

type State = {
	answer: Answer;
	/** Texts that the page shows in this state and in no other. */
	shows: string[];
};

type CardStates = {
	/** Opens the page with the card. The service answers with these handlers. */
	open: (handlers: Handlers) => Promise<FakeServer>;
	/** The title of the card. */
	title: string;
	/** The request for what the card shows: `GET /list-sessions`. */
	request: string;
	filled: State;
	empty?: State;
};

/** The states of a card that loads something for a tenant's user. The rest of the page stays usable. */
export function describeCardStates(card: string, states: CardStates): void {
	const { open, title, request, filled, empty } = states;
	const findAlert = async () => findByRole("alert", undefined, await findByRole("region", title));

	describe(card, () => {
		test("says that it loads, and shows nothing else yet", async () => {
			const server = await open({ [request]: never() });
			await until(() => server.sent(request).length > 0);
			await pass(10);
			const region = byRole("region", title);
			expect(region.querySelector('[aria-busy="true"]')).not.toBeNull();
			expect(filled.shows.filter((text) => textOf(region).includes(text))).toEqual([]);
		});

		test("shows what the service has", async () => {
			await open({ [request]: filled.answer });
			await findTexts(...filled.shows);
			expect(byRole("region", title).querySelector('[aria-busy="true"]')).toBeNull();
		});

		if (empty) {
			test("says that there is nothing yet", async () => {
				const { answer, shows } = empty;
				await open({ [request]: answer });
				await findTexts(...shows);
				expect(allByRole("alert")).toEqual([]);
			});
		}

		test("says why it could not load, and loads again when the user asks for it", async () => {
			const server = await open({ [request]: refuse(503, "", "The database is not available.") });
			const alert = await findAlert();
			expect(textOf(alert)).toContain("Something went wrong on our side.");
			server.answer({ [request]: filled.answer });
			await click(byRole("button", "Try again", alert));
			await findTexts(...filled.shows);
			expect(allByRole("alert")).toEqual([]);
		});

		test("says that the session has ended, and does not ask again", async () => {
			const server = await open({ [request]: sessionEnded.answer });
			expect(textOf(await findAlert())).toContain(sessionEnded.shows[0]);
			const { length } = server.sent(request);
			await pass(5000);
			expect(server.sent(request)).toHaveLength(length);
		});
	});
}
