import { type ReactNode, useState } from "react";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { ConfirmByTyping } from "../ui/Dialog";

type RevokeButtonProps = {
	/** Such as `key`. */
	what: string;
	name: string;
	revoke: () => Promise<unknown>;
	/** The query that lists them. */
	queryKey: readonly unknown[];
	/** What happens then. */
	children: ReactNode;
};

/** Revokes a key or a token, after its name was typed. */
export function RevokeButton({ what, name, revoke, queryKey, children }: RevokeButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const mutation = useApiMutation({
		mutationFn: revoke,
		successMessage: `${name} was revoked.`,
		invalidate: [queryKey],
		onSuccess: () => setOpen(false),
	});
	return (
		<>
			<Button size="small" aria-label={`Revoke ${name}`} onClick={() => setOpen(true)}>
				Revoke
			</Button>
			<ConfirmByTyping
				title={`Revoke this ${what}?`}
				expected={name}
				expectedName="the name"
				action={`Revoke ${what}`}
				open={isOpen}
				mutation={mutation}
				onClose={() => setOpen(false)}
			>
				<p>{children}</p>
			</ConfirmByTyping>
		</>
	);
}
