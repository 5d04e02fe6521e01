import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/Button";
import { PasswordField } from "../../ui/PasswordField";
import { keepManagementKey } from "./management-key";
import { isManagementKey, operatorKey } from "./operator";

export function KeyForm() {
	const [key, setKey] = useState("");
	const queries = useQueryClient();
	const enter = useMutation({
		mutationFn: async (presented: string) => {
			// Visible characters: a header takes nothing else.
			const isKey = /^[!-~]+$/.test(presented) && (await isManagementKey(presented));
			if (!isKey) throw new Error("This is no management key of this service.");
			keepManagementKey(presented);
			await queries.invalidateQueries({ queryKey: operatorKey });
		},
	});
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (!enter.isPending) enter.mutate(key.trim());
			}}
		>
			<PasswordField
				label="Management key"
				hint="Kept in this tab only, until it is closed."
				value={key}
				onChange={(event) => setKey(event.target.value)}
				error={enter.error?.message}
				autoComplete="off"
				required
			/>
			<Button kind="primary" type="submit" wide busy={enter.isPending}>
				Continue
			</Button>
		</form>
	);
}
