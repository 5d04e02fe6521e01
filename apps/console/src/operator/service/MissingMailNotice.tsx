import { useQuery } from "@tanstack/react-query";
import { Notice } from "../../ui/feedback";
import { useApi } from "../api/context";

/** Says what to do if the service cannot send emails. */
export function MissingMailNotice() {
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	if (info?.mail !== "none") return null;
	return (
		<Notice kind="warning">
			<strong>This service sends no email.</strong> Users cannot reset a password, verify an email
			or get an invitation by email. Set <code>SMTP_URL</code> and <code>MAIL_FROM</code>, and
			restart the service.
		</Notice>
	);
}
