// The words of the demo page, and whose page it is at first; those of boards are in the module.
export const words = {
  en: {
    language: "English", member: "jonas", forum: "Lantern", latest: "Latest", boards: "Leaderboards", hot: "Hot", race: "The race of the month: how the first ten got there", me: "My last days", friends: "Friends",
    like: "Like", comment: "Reply", bookmark: "Bookmark", by: "by {name}",
    console: "Console", about: "What the forum's pages and its backend report. Do something and see the boards move.", you: "You are", article: "Article",
    receipts: "Receipts", events: "Events that the forum was told", yours: "Boards for your own pages", offline: "Laurel cannot be reached.",
    empty: "Nobody is here yet. Report something in the console, or start a whole forum:",
  },
  zh: {
    language: "中文", member: "siyuan", forum: "灯笼", latest: "最新", boards: "排行榜", hot: "热门", race: "本月竞速：前十名的名次变化", me: "我的最近", friends: "好友",
    like: "赞", comment: "回复", bookmark: "收藏", by: "{name}",
    console: "控制台", about: "论坛页面和后台上报的内容。做点什么，看看排行榜的变化。", you: "当前用户", article: "文章",
    receipts: "回执", events: "论坛收到的事件", yours: "放到自己的页面上", offline: "无法连接 Laurel。",
    empty: "这里还没有人。在控制台上报一些活动，或者启动一个完整的论坛：",
  },
  vi: {
    language: "Tiếng Việt", member: "thu", forum: "Đèn Lồng", latest: "Mới nhất", boards: "Bảng xếp hạng", hot: "Nổi bật", race: "Cuộc đua của tháng: mười người dẫn đầu từng ngày", me: "Những ngày qua", friends: "Bạn bè",
    like: "Thích", comment: "Trả lời", bookmark: "Lưu", by: "{name}",
    console: "Bảng điều khiển", about: "Những gì trang và máy chủ của diễn đàn báo cáo. Hãy làm gì đó và xem bảng thay đổi.", you: "Bạn là", article: "Bài viết",
    receipts: "Biên nhận", events: "Sự kiện diễn đàn đã nhận", yours: "Bảng cho trang của bạn", offline: "Không kết nối được Laurel.",
    empty: "Chưa có ai ở đây. Hãy báo cáo gì đó trong bảng điều khiển, hoặc chạy cả một diễn đàn:",
  },
};
