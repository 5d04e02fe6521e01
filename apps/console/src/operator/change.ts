import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useToast } from "../ui/Toast";

type ChangeOptions<Input, Output> = {
	change: (input: Input) => Promise<Output>;
	/** What is said when it is done. */
	said: string;
	/** What is read anew. */
	refresh: QueryKey[];
	after?: (output: Output) => void;
};

/** A change at the service: it is said when it is done, and what it touches is read anew. */
export function useChange<Input = void, Output = unknown>(options: ChangeOptions<Input, Output>) {
	const { change, said, refresh, after } = options;
	const queries = useQueryClient();
	const toast = useToast();
	return useMutation<Output, Error, Input>({
		mutationFn: change,
		onSuccess: (output) => {
			toast(said);
			// Audited, all of it.
			for (const queryKey of [...refresh, ["audit"]]) {
				void queries.invalidateQueries({ queryKey });
			}
			after?.(output);
		},
	});
}
