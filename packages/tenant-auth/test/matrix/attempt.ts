import { expect } from "vitest";
import type { Answer } from "../support/instance";
import type { World } from "./world";

/** Something that B tries with what is A's. */
export interface Attempt {
	/** Completes "B …". */
	tries: string;
	with: (world: World) => Promise<Answer>;
	gets: (answer: Answer, world: World) => void;
}

/** The attempts of an area, by the name of the endpoint in `auth.api`. */
export type MatrixRows = Record<string, Attempt[]>;

export const refused =
	(status: number, code: string): Attempt["gets"] =>
	(answer) => {
		expect([answer.status, answer.body.code]).toEqual([status, code]);
		expect(answer.cookie).toBe("");
	};

export const forbidden = refused(403, "TENANT_MANAGEMENT_NOT_ALLOWED");
