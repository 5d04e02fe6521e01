import {
	MutationCache,
	QueryCache,
	QueryClient,
	type QueryKey,
	useMutation,
	useQueryClient,
} from "@tanstack/react-query";
import { useToast } from "../ui/Toast";
import { ApiError } from "./client";

type Handlers = {
	onQueryError?: (error: Error) => void;
	onMutationError?: (error: Error) => void;
	onMutationSuccess?: () => void;
};

/** The cache is in memory only, so no data of one user or tenant is left for the next. */
export function createQueryClient(handlers: Handlers): QueryClient {
	return new QueryClient({
		queryCache: new QueryCache({ onError: (error) => handlers.onQueryError?.(error) }),
		mutationCache: new MutationCache({
			onError: (error) => handlers.onMutationError?.(error),
			onSuccess: () => handlers.onMutationSuccess?.(),
		}),
		defaultOptions: { queries: { staleTime: 10_000, retry: isWorthRetrying } },
	});
}

/** A request that the server rejected once is rejected again. */
const isRejected = (error: Error | null): boolean =>
	error instanceof ApiError && error.status > 0 && error.status < 500;

const isWorthRetrying = (failures: number, error: Error): boolean =>
	failures < 2 && !isRejected(error);

/** For `refetchInterval`: loads again and again, until the server rejects it. */
export const every =
	(milliseconds: number) =>
	({ state }: { state: { error: Error | null } }): number | false =>
		isRejected(state.error) ? false : milliseconds;

type ApiMutationOptions<Input, Output> = {
	mutationFn: (input: Input) => Promise<Output>;
	/** Shown as a toast. */
	successMessage?: string;
	/** The keys of queries that have to load again. */
	invalidate?: QueryKey[];
	onSuccess?: (output: Output) => void;
	onError?: (error: Error) => void;
};

/** A call that changes something. It stays pending until the page shows the new data. */
export function useApiMutation<Input = void, Output = unknown>(
	options: ApiMutationOptions<Input, Output>,
) {
	const { mutationFn, successMessage, invalidate = [], onSuccess, onError } = options;
	const queryClient = useQueryClient();
	const toast = useToast();
	return useMutation<Output, Error, Input>({
		mutationFn,
		onSuccess: async (output) => {
			if (successMessage) toast(successMessage);
			const reloads = invalidate.map((queryKey) => queryClient.invalidateQueries({ queryKey }));
			onSuccess?.(output);
			await Promise.all(reloads);
		},
		onError: (error) => onError?.(error),
	});
}
