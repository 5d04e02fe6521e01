import { expect } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import type { Answer } from "../support/worlds/instance";
import type { SetupName } from "./setups";
import type { World } from "./world";

/** What B does with data of A. */
export interface Attempt {
	/** Completes "B …". */
	tries: string;
	with: (world: World) => Promise<Answer>;
	gets: (answer: Answer, world: World) => void;
	/** Set-ups in which the endpoint cannot do it. Say why. */
	notIn?: SetupName[];
}

/** Attempts by the name of the endpoint in `auth.api`. */
export type MatrixRows = Record<string, Attempt[]>;

export const refused =
	(status: number, code: string): Attempt["gets"] =>
	(answer) => {
		expectRefusal(answer, status, code);
		expect(answer.cookie).toBe("");
	};

export const forbidden = refused(403, "TENANT_MANAGEMENT_NOT_ALLOWED");
