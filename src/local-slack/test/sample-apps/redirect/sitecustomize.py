"""Python runs this file by itself if its folder is in PYTHONPATH. Sends requests for slack.com to SLACK_API_URL."""

import os
from urllib.request import Request

LOCAL = os.environ["SLACK_API_URL"]
SLACK = ("https://slack.com/api/", "https://www.slack.com/api/")


def to_local(url):
    found = next((prefix for prefix in SLACK if url.startswith(prefix)), None)
    return LOCAL + url[len(found):] if found else url


full_url = Request.full_url
Request.full_url = full_url.setter(lambda request, url: full_url.fset(request, to_local(url)))
