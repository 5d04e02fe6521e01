import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../api/client";
import { type ConsoleApi, useApi } from "../api/context";
import { OVERVIEW_KEY } from "../api/service";
import { usersKey } from "../api/users";
import {
	inFile,
	type LineResult,
	type ParsedFile,
	parseImportCsv,
	parseImportFile,
} from "./import-file";

/** First the service says what an import would do. Nothing is changed before somebody has seen it. */
type Step = "check" | "import";

type ImportState = {
	fileName: string;
	file: ParsedFile;
	step: Step;
	/** How many parts of the file are done in this step. */
	done: number;
	isRunning: boolean;
	results: LineResult[];
	error: string;
};

const NOTHING: ImportState = {
	fileName: "",
	file: { batches: [], failed: [], count: 0 },
	step: "check",
	done: 0,
	isRunning: false,
	results: [],
	error: "",
};

/** Checks and imports a file, in small parts. Both can be stopped and continued. */
export function useImport(tenantId: string) {
	const [state, setState] = useState(NOTHING);
	const { importUsers } = useApi();
	const queryClient = useQueryClient();
	const isStopped = useRef(false);

	const run = async (start: ImportState) => {
		isStopped.current = false;
		let current = { ...start, isRunning: true, error: "" };
		setState(current);
		while (current.done < current.file.batches.length && !isStopped.current) {
			const batch = current.file.batches[current.done] ?? [];
			try {
				const users = batch.map(({ user }) => user);
				const call = () => importUsers(tenantId, users, current.step === "check");
				const results = inFile(batch, await repeatIfLimited(call));
				current = {
					...current,
					done: current.done + 1,
					results: [...current.results, ...results],
				};
				setState(current);
			} catch (problem) {
				current.error = `${(problem as Error).message}.`.replace(/\.\.$/, ".");
				break;
			}
		}
		setState({ ...current, isRunning: false });
		if (current.step === "check") return;
		await queryClient.invalidateQueries({ queryKey: usersKey(tenantId) });
		await queryClient.invalidateQueries({ queryKey: OVERVIEW_KEY });
	};

	return {
		state,
		isComplete: state.file.count > 0 && state.done === state.file.batches.length,
		check: async (chosen: File) => {
			const file = await readFile(chosen).catch((problem: Error) => problem);
			if (file instanceof Error) return setState({ ...NOTHING, error: file.message });
			if (file.count === 0) return setState({ ...NOTHING, error: "The file has no lines." });
			return run({ ...NOTHING, fileName: chosen.name, file, results: file.failed });
		},
		start: () => run({ ...state, step: "import", done: 0, results: state.file.failed }),
		resume: () => run(state),
		stop: () => {
			isStopped.current = true;
		},
	};
}

async function readFile(chosen: File): Promise<ParsedFile> {
	const text = decodeUtf8(await chosen.arrayBuffer());
	return /\.csv$/i.test(chosen.name) ? parseImportCsv(text) : parseImportFile(text);
}

/** Some spreadsheets save files in other encodings, in which names would be imported wrong. */
function decodeUtf8(bytes: ArrayBuffer): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new Error("The file is not in UTF-8. Save it again in that encoding.");
	}
}

const RETRIES = 5;
const RETRY_MS = 3000;

/** The service may limit how many calls it accepts in a while. */
async function repeatIfLimited(
	call: () => ReturnType<ConsoleApi["importUsers"]>,
): Promise<LineResult[]> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return (await call()).results;
		} catch (error) {
			const isLimited = error instanceof ApiError && error.status === 429;
			if (!isLimited || attempt > RETRIES) throw error;
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}
}
