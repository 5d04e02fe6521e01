import { describe, expect, test } from "vitest";
import { type Answer, refuse } from "./answers";
import type { FakeServer, Handlers } from "./fake-server";
import { byLabel, byRole, findByRole, findTexts } from "./screen";
import { pass } from "./time";
import { click } from "./user";

type FormStates = {
	/** Opens the page with the form, and the form itself if it is in a dialog. */
	open: (handlers: Handlers) => Promise<FakeServer>;
	/** The request that the form sends: `POST /tenant/create`. */
	request: string;
	/** Fills in values that are valid. */
	fill: () => Promise<void>;
	/** The button that sends the form. */
	submit: string;
	/** The title of the dialog with the form, if other parts of the page use the same names. */
	dialog?: string;
	valid: {
		answer: Answer;
		/** The body of the request. */
		sends: unknown;
		/** Texts that tell the user that it worked. */
		shows: string[];
		/** What the page asks for afterwards. */
		handlers?: Handlers;
	};
	/**
	 * By what is wrong: "an empty name". Runs after `fill`. `null` for a form in which nothing can be wrong,
	 * such as one with a list of choices only.
	 */
	invalid: Record<string, Invalid> | null;
	/** By what the service rejects: "a slug that is taken". */
	conflict: Record<string, { answer: Answer; shows: string[] }>;
	/** What the fields have after an error, by label. */
	keeps: Record<string, string>;
	/**
	 * What the user sees if the session has ended. By default, what the service says. `null` for a form
	 * that needs no session.
	 */
	expired?: { answer: Answer; shows: string[]; handlers?: Handlers } | null;
};

type Invalid = {
	change: () => Promise<void>;
} & (
	| { shows: string[] }
	/** The label of a field whose error the browser shows. */
	| { field: string }
);

const SERVICE_SAYS_ENDED: NonNullable<FormStates["expired"]> = {
	answer: refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this"),
	shows: ["Your session has ended. Sign in again, and repeat this."],
};

/** The states that every form has: valid, invalid, rejected, and a session that has ended. */
export function describeFormStates(form: string, states: FormStates): void {
	const { open, request, fill, submit, dialog, valid, invalid, conflict, keeps } = states;
	const { expired = SERVICE_SAYS_ENDED } = states;
	for (const [name, cases] of Object.entries({ invalid, conflict })) {
		if (cases && Object.keys(cases).length === 0)
			throw new Error(`${form} needs a case for ${name}`);
	}

	const root = () => (dialog === undefined ? document.body : byRole("dialog", dialog));
	const submitForm = async () => click(await findByRole("button", submit, root()));
	const send = async () => {
		await click(byRole("button", submit, root()));
		await pass(10);
	};
	const expectInputKept = () => {
		const values = Object.keys(keeps).map((label) => [label, byLabel(label, root()).value]);
		expect(Object.fromEntries(values)).toEqual(keeps);
	};

	describe(form, () => {
		test("sends what the user typed, and says that it worked", async () => {
			const server = await open({ [request]: valid.answer, ...valid.handlers });
			await fill();
			await submitForm();
			await findTexts(...valid.shows);
			expect(server.sent(request).map(({ body }) => body)).toEqual([valid.sends]);
		});

		test.each(Object.entries(invalid ?? {}))("does not send %s", async (_, wrong) => {
			const server = await open({ [request]: valid.answer });
			await fill();
			await wrong.change();
			if ("field" in wrong) expect(byLabel(wrong.field, root()).checkValidity()).toBe(false);
			else await findTexts(...wrong.shows);
			await send();
			expect(server.sent(request)).toEqual([]);
		});

		test.each(Object.entries(conflict))(
			"says that the service rejects %s, and keeps the input",
			async (_, { answer, shows }) => {
				const server = await open({ [request]: answer });
				await fill();
				await submitForm();
				await findTexts(...shows);
				expect(server.sent(request)).toHaveLength(1);
				expectInputKept();
			},
		);

		if (!expired) return;
		test("says so if the session has ended, and keeps the input", async () => {
			await open({ [request]: expired.answer, ...expired.handlers });
			await fill();
			await submitForm();
			await findTexts(...expired.shows);
			expectInputKept();
		});
	});
}
