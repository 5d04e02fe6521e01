import { useState } from "react";
import { callApi, createPublicClient } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useErrorMessage } from "../sign-in/error-messages";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form } from "../ui/fields";

/** `url` is that of another region. */
type Discovered = { tenant: { slug: string; url?: string } | null };

const publicClient = createPublicClient();

/** Only the tenants that want to be found by the domain of an email. */
const discover = (email: string) =>
	callApi(publicClient.$fetch<Discovered>("/tenant/discover", { query: { email } }));

/** Leads people to the sign-in page of their tenant, which gets their email. */
export function FindOrganization() {
	const { service } = useTexts();
	const errorMessage = useErrorMessage();
	const [email, setEmail] = useState("");
	const find = useApiMutation({
		mutationFn: () => discover(email),
		onSuccess: ({ tenant }) => {
			if (!tenant) return;
			const query = new URLSearchParams({ login_hint: email });
			window.location.assign(`${tenant.url ?? ""}/t/${tenant.slug}/sign-in?${query}`);
		},
	});
	const isFound = Boolean(find.data?.tenant);
	const change = (value: string) => {
		setEmail(value);
		find.reset();
	};
	return (
		<Form className="stack message-form" onSubmit={() => find.mutate()}>
			{find.error && <Notice kind="danger">{errorMessage(find.error)}</Notice>}
			{find.data && !isFound && <Notice kind="info">{service.unknown}</Notice>}
			<EmailField value={email} onValueChange={change} autoComplete="email" />
			<Button kind="primary" type="submit" wide busy={find.isPending || isFound}>
				{service.submit}
			</Button>
		</Form>
	);
}
